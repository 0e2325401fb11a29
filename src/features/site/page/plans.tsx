import { Glyph } from '#features/booking/page/glyph.tsx';
import type { Say } from '#features/booking/rules/fill-words.ts';
import type { AdvertisedPlan } from '../rules.ts';
import { Heading } from './heading.tsx';

/** The price section: the plans, or a note that the install is free. */
export function Plans({ plans, say }: { plans: readonly AdvertisedPlan[] | null; say: Say }) {
  if (plans === null) {
    return (
      <>
        <Heading id="pricing-title" title={say('pricing.title')} />
        <div className="card free">
          <h3>{say('pricing.free-title')}</h3>
          <p>{say('pricing.free-text')}</p>
          <a className="button main" href="/signup">
            {say('free')}
          </a>
        </div>
      </>
    );
  }
  return (
    <>
      <Heading id="pricing-title" title={say('pricing.title')} text={say('pricing.text')} />
      <ul className="cards three plans">
        {plans.map(({ id, name, price, days, every, popular, about, features }) => (
          <li key={id} className="card" data-popular={popular ? '' : undefined}>
            <h3>
              {name}
              {popular ? <span className="mark-popular"> {say('pricing.popular')}</span> : null}
            </h3>
            <p className="price">
              <strong>{price}</strong> {days === null ? say(`pricing.${every}`) : say('pricing.days', { n: days })}
            </p>
            <p>{about}</p>
            <ul className="ticks">
              {features.map((feature) => (
                <li key={feature}>
                  <Glyph name="check" />
                  {feature}
                </li>
              ))}
            </ul>
            <a className={popular ? 'button main' : 'button'} href="/signup">
              {days === null ? say('pricing.choose', { plan: name }) : say('trial')}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
