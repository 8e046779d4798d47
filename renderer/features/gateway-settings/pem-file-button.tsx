import { PickFile } from '#ui/pick-file.tsx';

/** A chain and its key are a few KB; what is larger is another file. */
const BYTES_MAX = 64 * 1024;

/** A PEM file in the place of pasting it. A file that is too large leaves the field for the server to judge. */
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
