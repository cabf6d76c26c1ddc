/** `allIpAddresses`, `all_ip_addresses`, `all-ip.addresses`: all ip addresses. */
export const keyWords = (key: string): string[] =>
  key
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/(?<=[A-Z]{2})(?=[A-Z][a-z])/g, '_')
    .toLowerCase()
    .split(/[_\s.-]+/);
