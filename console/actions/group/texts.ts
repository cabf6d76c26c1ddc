export const mergeUndone = 'Merge undone';
export const mergedWith = (title: string | undefined) => `Merged with “${title}”`;
export const merged = (groups: string) => `Merged ${groups}`;
export const couldnt = (what: string) => `Couldn't ${what}`;
export const addNote = 'Add note';
export const noteAdded = 'Note added';
export const unacknowledged = 'unacknowledged';
export const noOpenEventsAcknowledge = 'No open events to acknowledge';
export const noAcknowledgedEvents = 'No acknowledged events';
export const noEventsLeftResolve = 'No events left to resolve';
export const nothingReopenEventsRecovered =
  'Nothing to reopen: the events recovered at their source, or the problem is open in another event';
