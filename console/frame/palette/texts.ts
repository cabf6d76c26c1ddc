export const pages = 'Pages';
export const ctrlK = 'Ctrl K';
export const searchOrGoTo = (keys: string) => `Search or go to… ${keys}`;
export const searchOrGoToHint = 'Search or go to…';
export const searchActionsPagesGroups = 'Search actions, pages, groups, events and CIs';
export const noResults = 'No results';
