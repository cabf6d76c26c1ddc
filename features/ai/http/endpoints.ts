import { monitorAi } from './monitoring.ts';
import { aiSettingsEndpoints } from './settings-endpoints.ts';

export const aiEndpoints = [monitorAi, ...aiSettingsEndpoints];
