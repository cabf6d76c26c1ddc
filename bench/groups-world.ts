/** What the filling and the measuring of groups agree on. */
export const TENANT = 'groups';
/** Members of the largest group, the newest. */
export const LARGEST = 1_000;
/** Of the other events. */
export const GROUPED_SHARE = 0.6;
export const groupId = (number: number): string => `COR-${1_760_000_000_000 + number}-bench0`;
