/** Of the user `admin` in directories that a benchmark fills. */
export const TOKEN = 'benchmark-token-0001';
