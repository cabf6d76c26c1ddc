export const mergeWith = 'Merge with';
export const searchEventTitleDescription = 'Search by event title or description';
export const groups = 'groups';
export const matchingGroups = 'Matching groups';
export const mergeWithAnotherGroup = 'Merge with another group';
export const merge = (groups: string) => `Merge ${groups}`;
export const mergeAction = 'Merge';
export const oldestGroupKeepsIts = 'The oldest group keeps its ID. The other IDs redirect to it.';
export const groupsToMerge = 'Groups to merge';
