/** Exact tokens by which CIs are found: `port5432`, `process:nginx`, `software:postgresql`, `type:server`. */
const MAX_LENGTH = 100;

const PATH = /^.*[/\\](?=[^/\\]+$)/;
const plain = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(PATH, '')
    .replace(/\.exe$/, '')
    .replace(/\s+/g, ' ')
    .slice(0, MAX_LENGTH);

export const portKeyword = (port: number): string => `port${port}`;
/** Keyword of the program name, without its folder. */
export const processKeyword = (name: string): string => `process:${plain(name)}`;
export const softwareKeyword = (name: string): string => `software:${plain(name)}`;
export const typeKeyword = (type: string): string => `type:${plain(type)}`;
