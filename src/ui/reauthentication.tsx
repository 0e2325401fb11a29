import {
  type ComponentType,
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useMemo,
  useRef,
  useState,
} from 'react';
import { ApiError } from '#kernel/contract-client.ts';

/** Carries an act out; where the server wants to know first who is there, the person is asked and the act repeated. */
export type WithProof = <Result>(act: () => Promise<Result>) => Promise<Result>;

export interface ProofDialogProps {
  onProven: () => void;
  onCancel: () => void;
}

const ReauthenticationContext = createContext<WithProof>((act) => act());

/**
 * For whatever is sensitive: `const withProof = useReauthentication(); withProof(() => api.changePassword(…))`. A person
 * who does not prove themselves gets the refusal of the server.
 */
export function useReauthentication(): WithProof {
  return useContext(ReauthenticationContext);
}

/** Around the screens of somebody signed in. The dialog's code is fetched when it is first needed. */
export function ReauthenticationProvider({
  loadDialog,
  children,
}: {
  loadDialog: () => Promise<ComponentType<ProofDialogProps>>;
  children: ReactNode;
}) {
  const Dialog = useMemo(() => lazy(async () => ({ default: await loadDialog() })), [loadDialog]);
  const [isAsking, setAsking] = useState(false);
  // Several acts at once wait for one proof.
  const asked = useRef<PromiseWithResolvers<boolean> | null>(null);

  const withProof = useCallback<WithProof>(async (act) => {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'REAUTHENTICATE') throw error;
      asked.current ??= Promise.withResolvers();
      setAsking(true);
      if (!(await asked.current.promise)) throw error;
      return act();
    }
  }, []);
  const end = (proven: boolean) => {
    setAsking(false);
    asked.current?.resolve(proven);
    asked.current = null;
  };

  return (
    <ReauthenticationContext value={withProof}>
      {children}
      {isAsking ? (
        <Suspense>
          <Dialog onProven={() => end(true)} onCancel={() => end(false)} />
        </Suspense>
      ) : null}
    </ReauthenticationContext>
  );
}
