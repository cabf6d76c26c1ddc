export const including = (problems: string, title: string) => `${problems}, including ${title}`;
export const newCriticalProblem = 'new critical problem';
export const oneNewCriticalProblem = (title: string) => `New critical problem: ${title}`;
