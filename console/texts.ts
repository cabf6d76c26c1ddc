export const linkExpired = 'This link has expired or was already used. Sign in with your password.';
export const pageNotFound = 'Page not found';
export const goHome = 'Go to the home page';
export const addressMayBeWrong = 'The address may be outdated or mistyped.';
