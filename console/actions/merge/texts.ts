export const mergeWith = 'Merge with';
export const searchEventTitleDescription = 'Search by event title or description';
export const groups = 'groups';
export const matchingGroups = 'Matching groups';
export const mergeWithAnotherGroup = 'Merge with another group';
export const merge = (groups: string) => `Merge ${groups}`;
export const mergeAction = 'Merge';
export const oldestGroupKeepsIts = 'The oldest group keeps its ID. The other IDs redirect to it.';
export const groupsToMerge = 'Groups to merge';
export const noMatches = 'No groups or events match';
export const move = (what: string) => `Move ${what} to a group`;
export const moveAction = 'Move';
export const moveTo = 'Move to';
export const movedEventsStay =
  'Moved events stay in the selected group, even if later events relate them to another.';
export const targetHasNoEvents = "Can't move: the group has no events left";
export const moved = (events: string, title: string | undefined) => `Moved ${events} to “${title}”`;
export const moveUndone = 'Move undone';
export const movedAway = 'Moved to another group';
