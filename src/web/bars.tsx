import { NewBuildBar } from './new-build-bar.tsx';
import { OfflineBar } from './offline-bar.tsx';

/** Bars for a lost connection and for a newer version. */
export function Bars() {
  return (
    <>
      <OfflineBar />
      <NewBuildBar />
    </>
  );
}
