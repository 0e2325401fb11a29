import type { BookedData } from '../../rules/visit-data.ts';
import { useReading } from '../reading.tsx';

/** The button of somebody who got the mail. */
export function ProofForm({ proof, isOver }: { proof: NonNullable<BookedData['proof']>; isOver: boolean }) {
  const { say, moments } = useReading();
  return (
    <form method="post" action={proof.to} className="proof">
      <input type="hidden" name="proof" value={proof.secret} />
      {proof.others.length === 0 ? null : (
        <>
          <p>{say('booked.proof-others')}</p>
          {proof.others.map(({ id, title, startMinutes, people }) => (
            <div className="field tick" key={id}>
              <input
                type="checkbox"
                name="also"
                id={id}
                value={id}
                // a booking that has ended leaves nothing else to confirm
                required={isOver && proof.others.length === 1}
              />
              <label htmlFor={id}>
                {[title, ...startMinutes.map((one) => moments.moment(one))].join(', ')}
                <small>{people.join(', ')}</small>
              </label>
            </div>
          ))}
        </>
      )}
      <button type="submit" className="button main">
        {say('booked.confirm')}
      </button>
    </form>
  );
}
