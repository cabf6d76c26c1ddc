export const selectOrDeselect = 'Select or deselect';
export const selectAllLoadedRows = 'Select all loaded rows';
export const select = (row: string) => `Select ${row}`;
