/** The little of Node that types of schemas/ lead to; nothing of it is in the bundle. */
declare const Buffer: { readonly byteLength: (text: string) => number };
