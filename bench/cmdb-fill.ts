/** Fills a data directory with the estate of the CMDB part: `node bench/cmdb-fill.ts DIRECTORY CIS`. Prints the number of relationships. */
import { start } from '#app';
import { readConfig } from '#infra/config.ts';
import { TENANT } from './cmdb-infrastructure.ts';
import { fillInfrastructure } from './cmdb-put.ts';
import { makeTenant } from './tenant.ts';
import { TOKEN } from './token.ts';

const [directory = '', cis = '1000'] = process.argv.slice(2);
const app = await start(
  readConfig({
    FAULTLINE_DATA: directory,
    PORT: '0',
    FAULTLINE_BOOTSTRAP_TOKEN: TOKEN,
    FAULTLINE_LIMIT_SCALE: '0',
    FAULTLINE_LOG_LEVEL: 'warn',
  }),
);
await makeTenant(app.url, TENANT);
console.log(await fillInfrastructure(app.ports, Number(cis)));
await app.stop();
