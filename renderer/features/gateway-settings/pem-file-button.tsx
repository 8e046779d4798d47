import { PickFile } from '#ui/pick-file.tsx';

/** A chain with its key is a few KB; a larger file is something else. */
const BYTES_MAX = 64 * 1024;

/** Fills a field from a PEM file instead of pasting. A file that is too large is left for the server to check. */
export function PemFileButton({ label, onText }: { label: string; onText: (text: string) => void }) {
  return (
    <p>
      <PickFile
        label={label}
        accept=".pem,.crt,.cer,.key"
        onPick={(file) => void file.slice(0, BYTES_MAX).text().then(onText)}
      />
    </p>
  );
}
