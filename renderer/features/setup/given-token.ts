const GIVEN = /^#token=([\w-]{1,64})$/;

/** The set-up token of `#token=…`, which is removed from the address and the history; empty: there is none. */
export function takeGivenToken(): string {
  const token = GIVEN.exec(location.hash)?.[1] ?? '';
  if (token !== '') history.replaceState(history.state, '', location.pathname + location.search);
  return token;
}
