/** The role of a CI on the map of a group. */
export const GRAPH_ROLES = ['cause', 'victim', 'between', 'impacted', 'protected'] as const;

/** An entry of the history of a group. */
export const HAPPENED = [
  'founded',
  'joined',
  'merged',
  'split',
  'cause',
  'status',
  'note',
  'assigned',
  'verdict',
  'closed',
  'topology',
] as const;
