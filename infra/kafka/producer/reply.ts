/** Where a receipt goes: the API process, the request that waits there, and the place of the record within it. */
export interface Reply {
  readonly process: string;
  readonly request: string;
  readonly index: number;
}

export const writeReply = ({ process, request, index }: Reply): string => `${process}/${request}/${index}`;

export const readReply = (text: string): Reply => {
  const [process = '', request = '', index = ''] = text.split('/');
  return { process, request, index: Number(index) };
};
