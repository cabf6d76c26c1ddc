import { expect, test } from '@jest/globals';
import { plainWords } from './plain-words.ts';

test.each([
  ['Disk full on host-3', 'disk full on host 3'],
  ['Link down: eth0/1 "uplink"', 'link down eth0 1 uplink'],
  ['Überlast auf  Knoten', 'uberlast auf knoten'],
  ['10.0.0.1:8080 café_naïve', '10 0 0 1 8080 cafe naive'],
  ['ディスク 満杯', 'テ ィ ス ク 満 杯'],
  ['日本語のエラー', '日 本 語 の エ ラ ー'],
  ['ｴﾗｰ ＥＲＲＯＲ', 'エ ラ ー error'],
  ['Straße SCHLIEẞEN', 'strasse schliessen'],
  ['Smørrebrød Łódź cœur', 'smorrebrod lodz coeur'],
  ['서버 오류', '서버 오류'.normalize('NFKD')],
  ['"* (', ''],
])('%j has the words %j', (text, expected) => {
  expect(plainWords(text)).toBe(expected);
});
