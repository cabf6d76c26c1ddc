/** Target of a receipt: the API process, the request that waits there, and the index of the record within it. */
export interface ReplyAddress {
  readonly process: string;
  readonly request: string;
  readonly index: number;
}

export const writeReply = ({ process, request, index }: ReplyAddress): string => `${process}/${request}/${index}`;

export const readReply = (text: string): ReplyAddress => {
  const [process = '', request = '', index = ''] = text.split('/');
  return { process, request, index: Number(index) };
};
