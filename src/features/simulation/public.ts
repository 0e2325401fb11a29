/** The door of simulation: emulated providers for whoever opens accounts, and services that send. */

export { isSimulatedSignInOn } from './is-simulated-sign-in-on.ts';
export { isSimulationOn } from './is-simulation-on.ts';
export { openChannelSimulation, type SimulatedService } from './open-channel-simulation.ts';
export { openSimulation } from './open-simulation.ts';
export { openStripeSimulation } from './open-stripe-simulation.ts';
