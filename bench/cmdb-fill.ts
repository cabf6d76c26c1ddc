/** Fills a data directory with the estate of the CMDB part: `node bench/cmdb-fill.ts DIRECTORY CIS`. Prints the number of relationships. */
import { TENANT } from './cmdb-infrastructure.ts';
import { fillInfrastructure } from './cmdb-put.ts';
import { startOn } from './started.ts';
import { makeTenant } from './tenant.ts';

const [directory = '', cis = '1000'] = process.argv.slice(2);
const app = await startOn(directory);
await makeTenant(app.url, TENANT);
console.log(await fillInfrastructure(app.ports, Number(cis)));
await app.stop();
