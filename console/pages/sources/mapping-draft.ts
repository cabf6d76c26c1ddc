/** Placeholder of the name, in the address of a new mapping. */
export const NEW = 'new';

/** The page of a new mapping begins with it. */
export const FIRST_MAPPING = JSON.stringify(
  {
    title: 'Site24x7',
    fields: {
      key: '$.MONITOR_ID',
      title: '{$.MONITORNAME} is {$.STATUS}',
      state: '$.STATUS',
      severity: '$.STATUS',
      description: '$.INCIDENT_REASON',
      hostname: '$.MONITORURL',
      time: '$.INCIDENT_TIME_ISO',
      tags: '$.TAGS',
    },
    severities: { down: 'critical', trouble: 'warning' },
  },
  null,
  2,
);
export const FIRST_SAMPLE = JSON.stringify(
  {
    MONITOR_ID: '1001',
    MONITORNAME: 'Website',
    MONITORURL: 'https://shop.example.org',
    STATUS: 'DOWN',
    INCIDENT_REASON: 'DNS lookup failed',
    INCIDENT_TIME_ISO: '2026-11-28T10:00:00Z',
    TAGS: 'env:prod',
  },
  null,
  2,
);

/** The value of a text, or why it is no JSON. */
export const jsonIn = (text: string): { readonly value: unknown } | { readonly problem: string } => {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'Invalid JSON' };
  }
};

const WORDS: Readonly<Record<string, string>> = {
  open: 'Problem',
  update: 'Update',
  resolve: 'Resolved',
  acknowledge: 'Acknowledged',
  unacknowledge: 'Unacknowledged',
  suppress: 'Suppressed',
  unsuppress: 'Unsuppressed',
  ignore: 'Ignored',
};
/** An action of an entry in words. */
export const askedWords = (action: string | null): string => (action === null ? 'Rejected' : (WORDS[action] ?? action));

const NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/;
/** Returns the reason why a name is invalid in the address; null when it is valid. */
export const nameProblem = (name: string): string | null =>
  NAME.test(name) && name !== NEW
    ? null
    : 'Lowercase letters, digits, dots, hyphens and underscores, up to 63 characters';
