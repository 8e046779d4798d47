import { test } from 'vitest';
import net from 'node:net';
import { spawn } from 'node:child_process';
test('leaks', () => { net.createServer().listen(0); spawn('sleep', ['20']); });
