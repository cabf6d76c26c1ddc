export const serverDidNotRespond = 'The server did not respond within 60s';
export const cantReachServerCheck = "Can't reach the server. Check your network connection.";
export const theServerReturnedHttp = (status: number) => `The server returned HTTP ${status}`;
