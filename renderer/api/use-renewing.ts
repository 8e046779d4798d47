import { useMutation, useQueryClient } from '@tanstack/react-query';

interface Options {
  /** The input or the response contains a secret: it is not kept in the cache. */
  gcTime?: 0;
  /**
   * Whether the mutation lasts until the queries were refetched. False: the message of an action is shown even if the
   * new values remove the button that started it.
   */
  awaited?: boolean;
}

/** A mutation after which the queries with these names are refetched, whether it failed or not. */
export function useRenewing<Output, Input = void>(
  names: readonly string[],
  mutationFn: (input: Input) => Promise<Output>,
  { awaited = true, ...options }: Options = {},
) {
  const client = useQueryClient();
  return useMutation({
    ...options,
    mutationFn,
    onSettled: () => {
      const renewed = Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name] })));
      return awaited ? renewed : undefined;
    },
  });
}
