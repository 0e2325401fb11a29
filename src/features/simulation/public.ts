/** Public functions of simulation: emulated providers for connections, and emulated services for workflows. */

export { openSimulation } from './providers.ts';
export { openChannelSimulation, type SimulatedService } from './services.ts';
export { isSimulatedSignInOn, isSimulationOn } from './simulation.ts';
export { openStripeSimulation } from './stripe.ts';
