import { readFileSync } from 'node:fs';
import { startGateway } from '#test/gateway.ts';
import { routePipeline, fixedReply } from '#test/route-pipeline.ts';
import { openRaw, requestBytes, call } from '#test/raw-request.ts';
import { freePort } from '#test/free-port.ts';
import { setTimeout as sleep } from 'node:timers/promises';
const rss = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
const delay = (s: number) => ({ kind: 'delay', settings: { seconds: s } });
const which = process.argv[2];
const gw = await startGateway({ pipelines: [
  routePipeline({ id: 'slow', method: '*', path: '/slow', route: { authType: 'none' }, middle: [delay(6)], reply: { status: 200, body: 'slow' } }),
  routePipeline({ id: 'quick', method: '*', path: '/quick', route: { authType: 'none' , maxPayloadSize: '8 MB'}, ...fixedReply('ok') }),
  routePipeline({ id: 'big', method: 'GET', path: '/big', route: { authType: 'none' }, ...fixedReply('x'.repeat(900000)) }),
  routePipeline({ id: 'cors', method: 'POST', path: '/cors', route: { authType: 'none', corsEnabled: true, allowedOrigins: ['http://a.example'], allowedIps: ['10.0.0.0/8'] }, ...fixedReply('ok') }),
  routePipeline({ id: 'cors2', method: 'POST', path: '/cors2', route: { authType: 'none', corsEnabled: true, allowedOrigins: ['http://a.example'] }, ...fixedReply('ok') }),
]});
const get = (p: string) => `GET ${p} HTTP/1.1\r\nHost: a\r\n\r\n`;
try {
  if (which === 'pipe') {
    console.log('rss', rss(gw.pid));
    const c = await openRaw(gw.port);
    c.send(get('/slow'));
    await sleep(100);
    const many = get('/quick').repeat(200000);
    const t = performance.now();
    c.send(many);
    for (let i = 0; i < 6; i++) { await sleep(500); console.log('rss', rss(gw.pid), 'unsent', c.socket.writableLength, c.socket.bytesWritten); }
    c.socket.destroy();
  }
  if (which === 'chunks') {
    console.log('rss', rss(gw.pid));
    const cs = [];
    for (let i = 0; i < 2; i++) { const c = await openRaw(gw.port); cs.push(c);
      c.send('POST /quick HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
      c.send('1\r\nx\r\n'.repeat(1000000)); }
    for (let i = 0; i < 6; i++) { await sleep(500); console.log('rss', rss(gw.pid), cs[1]!.socket.writableLength); }
    for (const c of cs) c.socket.destroy();
  }
  if (which === 'preflight') {
    const c = await openRaw(gw.port);
    c.send('OPTIONS /cors2 HTTP/1.1\r\nHost: a\r\nOrigin: http://a.example\r\nAccess-Control-Request-Method: POST\r\nContent-Length: 999999999\r\n\r\n');
    console.log((await c.next()).status);
    c.send('x'.repeat(20_000_000)); await sleep(1000); console.log('unsent', c.socket.writableLength);
    c.socket.destroy();
    console.log((await call(gw.port, { method: 'POST', path: '/cors', headers: { Origin: 'http://a.example' } })).headers);
  }
  if (which === 'stall') {
    const c = await openRaw(gw.port);
    c.socket.pause();
    c.send(get('/big').repeat(6) + get('/slow'));
    await sleep(300); c.socket.resume();
    const t = performance.now();
    for (let i = 0; i < 7; i++) try { console.log((await c.next()).status, performance.now() - t); } catch (e) { console.log(String(e), performance.now() - t); break; }
  }
  if (which === 'drain') {
    const c = await openRaw(gw.port);
    c.send(get('/quick')); console.log((await c.next()).status);
    c.send('POST /quick HTTP/1.1\r\nHost: a\r\n');
    const s = await openRaw(gw.port); s.send(get('/slow')); await sleep(200);
    c.socket.allowHalfOpen = true;
    const stopped = gw.stop(9000);
    await sleep(300);
    c.socket.write('X-Late: 1\r\n\r\n'); await sleep(500);
    console.log(await gw.journalRows());
    const runs = await gw.call('runs', { project: 'line-1', pipeline: 'quick' });
    console.log(runs.length);
    await stopped;
  }
  if (which === 'host') {
    const port = await freePort();
    await gw.changeSettings({ gatewayPort: port });
    await gw.changeSettings({ gatewayPort: port, gatewayHost: '0.0.0.0' }).then(() => console.log('ok'), (e) => console.log(String(e)));
  }
  if (which === 'oldport') {
    const s = await openRaw(gw.port); s.send(get('/slow')); await sleep(200);
    const p = await openRaw(gw.port); p.send('POST /quick HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nx'); await sleep(100);
    const port = await freePort();
    await gw.changeSettings({ gatewayPort: port });
    console.log((await s.next()).status); s.send(get('/quick'));
    console.log('on old', await s.next().then((r) => r.status, String));
    await sleep(2000);
    console.log('slow body', p.responses.length, p.socket.destroyed);
    await sleep(4000);
    console.log('slow body', p.responses.length, p.socket.destroyed);
    s.socket.destroy(); p.socket.destroy();
  }
} finally { await gw.stop(200).catch(() => {}); }
