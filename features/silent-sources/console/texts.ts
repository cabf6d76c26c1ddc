export const noDataFrom = (sources: string) => `No data from ${sources}`;
