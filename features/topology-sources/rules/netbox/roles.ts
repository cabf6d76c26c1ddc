/** Order of device roles along the network, as cables have no direction. */

/** Role words from upstream to downstream; other roles are at the end. */
const ORDER: readonly RegExp[] = [
  /\b(?:internet|border|wan|edge router)\b/,
  /\b(?:core|router|gateway)\b/,
  /\bfirewall\b/,
  /\b(?:spine|distribution|aggregation)\b/,
  /\b(?:switch|leaf|tor|access)\b/,
];

/** Returns the position of a role; smaller is upstream. `roles`: slugs from upstream to downstream. */
export function networkRank(role: string, roles: readonly string[]): number {
  if (roles.length > 0) {
    const place = roles.indexOf(role);
    return place === -1 ? roles.length : place;
  }
  const words = role.replaceAll('-', ' ').toLowerCase();
  const place = ORDER.findIndex((one) => one.test(words));
  return place === -1 ? ORDER.length : place;
}
