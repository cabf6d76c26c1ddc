import type { AnyEndpoint } from '#api/surfaces/endpoint.ts';
import { getScan } from './get-scan.ts';
import { listScanData, listScans } from './list-scans.ts';
import { mergeCi } from './merge-cis.ts';
import { listeningProcess, processConnections } from './network.ts';
import { getProvenance } from './provenance.ts';
import { reviewEndpoints } from './reviews.ts';
import { discoverySettingsEndpoints } from './settings-endpoints.ts';
import { submitScan } from './submit-scan.ts';
import { discoveryTokenEndpoints } from './tokens.ts';
import { listUnboundHosts } from './unbound-hosts.ts';

export const discoveryEndpoints: readonly AnyEndpoint[] = [
  ...discoveryTokenEndpoints,
  submitScan,
  listScanData,
  listScans,
  getScan,
  ...reviewEndpoints,
  getProvenance,
  processConnections,
  listeningProcess,
  listUnboundHosts,
  ...discoverySettingsEndpoints,
  mergeCi,
];
