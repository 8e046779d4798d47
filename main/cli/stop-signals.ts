/** Resolves at the first signal to stop; later signals, from a process group or repeated key presses, are ignored. */
export function stopSignal(source: NodeJS.EventEmitter = process): Promise<void> {
  return new Promise((resolve) => {
    // The listeners stay: without one, a second signal would end the process in the middle of its stop.
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) source.on(signal, () => resolve());
  });
}
