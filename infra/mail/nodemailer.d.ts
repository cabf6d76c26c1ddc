/* The used part of nodemailer 10, which has no types of its own. */
declare module 'nodemailer' {
  interface TransportOptions {
    readonly url: string;
    readonly connectionTimeout: number;
    readonly greetingTimeout: number;
    readonly socketTimeout: number;
    readonly disableFileAccess: boolean;
    readonly disableUrlAccess: boolean;
  }
  interface Message {
    readonly from: string;
    readonly to: { readonly name: string; readonly address: string };
    readonly subject: string;
    readonly text: string;
    readonly headers: Readonly<Record<string, string>>;
  }
  interface Transport {
    sendMail(message: Message): Promise<unknown>;
    close(): void;
  }
  interface Nodemailer {
    createTransport(options: TransportOptions): Transport;
  }
  const nodemailer: Nodemailer;
  // biome-ignore lint/style/noDefaultExport: exports of a CommonJS module arrive as the default.
  export default nodemailer;
}
