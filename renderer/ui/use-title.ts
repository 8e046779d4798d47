import { useEffect } from 'react';

/** The title of the browser window while the page is open. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} | Sluice`;
  }, [title]);
}
