import type { AxiosInstance, AxiosStatic } from 'axios';

export interface Axios {
  readonly library: AxiosStatic;
  readonly instance: AxiosInstance;
}

/**
 * An instance that takes nothing from the environment (proxies), follows nothing and changes nothing on the way. Loaded
 * when it is first needed: axios takes some 60 ms, which a gateway that never calls out need not spend.
 */
export async function loadAxios(): Promise<Axios> {
  const { default: library } = await import('axios');
  const instance = library.create({
    proxy: false,
    maxRedirects: 0,
    decompress: false,
    responseType: 'stream',
    transformRequest: [],
    transformResponse: [],
  });
  return { library, instance };
}
