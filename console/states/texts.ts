import { capital } from '#domain/text.ts';

export const backToList = 'Back to list';
export const retry = 'Retry';
export const thisPage = 'this page';
export const notFound = 'Not found';
export const tooManyRequests = 'Too many requests';
export const notLoaded = (what: string) => `Couldn't load ${what}`;
export const serverNotReady = (what: string) => `${notLoaded(what)}: the server is not ready`;
export const consoleError = 'An unexpected error occurred. Reload the page; if it persists, report the request ID.';
export const retrying = 'Retrying…';
export const retryingIn = (seconds: number) => `Retrying in ${seconds}s`;
export const partNotLoaded = "Couldn't load part of the console";
export const noAccess = "You don't have access to this page";
export const requiresPermission = (what: string, permission: string) =>
  `${capital(what)} requires the ${permission} permission`;
export const tokenLacksPermission = "Your token doesn't have it.";
export const yourRole = (role: string) => `Your role is ${role}.`;
export const overloaded = 'All components are healthy; the server was overloaded.';
export const unhealthyComponents = 'Unhealthy components';
export const notRefreshed = (what: string, reason: string) =>
  `Couldn't refresh ${what}${reason === '' ? '' : `: ${reason.replace(/\.$/, '')}`}.`;
export const dataAge = (age: string) => `Showing data from ${age} ago.`;
export const requestId = 'Request ID';
export const loading = 'Loading';
