import type { Concept } from './concept.ts';
import { DATA } from './data.ts';
import { MACHINES } from './machines.ts';
import { NETWORKS } from './networks.ts';
import { SOFTWARE } from './software.ts';

/** Concepts of operations with many words. */
export const CONCEPTS: readonly Concept[] = [...MACHINES, ...NETWORKS, ...SOFTWARE, ...DATA];
