export const ciOrRelationshipFile = 'CI or relationship file';
export const orDropFile = 'or drop a file here';
export const templates = 'Templates:';
