export const deletingDemo = 'Deleting the demo';
export const deleteDemo = 'Delete demo';
export const deleteDemoWarning = 'Deletes its events, groups and CIs. You can load the demo again later.';
export const cancel = 'Cancel';
export const deleteLabel = 'Delete';
export const tryDemo = 'Try the demo';
export const tryDemoHelp =
  'Loads 12 hours of events from a small company into a separate tenant. Your tenant stays empty.';
export const openLargestGroup = 'Open largest group';
export const demoLoadingProgress = 'Demo loading progress';
export const demoProgress = (percent: number) => `${percent}%. Usually takes under 30 seconds.`;
export const reloadDemo = 'Reload demo';
export const loadDemo = 'Load demo';
export const couldntLoadDemo = "Couldn't load the demo";
export const couldntDeleteDemo = "Couldn't delete the demo";
