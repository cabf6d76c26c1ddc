export const streamTimedOut = 'stream timed out';
export const streamRequestFailedHttp = (status: number) => `stream request failed: HTTP ${status}`;
