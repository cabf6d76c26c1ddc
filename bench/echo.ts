/** The baseline for HTTP: reads a body and answers; nothing else. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const reply = JSON.stringify({ success: true });
const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => response.writeHead(200, { 'content-length': reply.length }).end(reply));
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.on('SIGTERM', () => process.exit(0));
