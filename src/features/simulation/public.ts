/** The door of simulation: emulated providers for whoever opens accounts. */

export { isSimulatedSignInOn } from './is-simulated-sign-in-on.ts';
export { isSimulationOn } from './is-simulation-on.ts';
export { openSimulation } from './open-simulation.ts';
