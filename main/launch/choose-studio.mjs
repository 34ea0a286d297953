// Which studio "npm start" opens, and why: a pure decision, said to the person in one line.

/**
 * @typedef {object} Machine
 * @property {NodeJS.Platform} platform
 * @property {boolean} display a screen to put a window on
 * @property {boolean} asRoot Chromium's sandbox does not run as root
 * @property {boolean} binary Electron's binary is there
 * @property {boolean} triedLately a download of it failed within the last day
 * @property {'browser' | 'desktop' | undefined} asked what the person asked for
 */

/**
 * @param {Machine} machine
 * @returns {{ studio: 'desktop' | 'browser' | 'download', reason: string }} "download": try to get the binary, then ask again
 */
export function chooseStudio(machine) {
  if (machine.asked === 'browser') return { studio: 'browser', reason: 'as you asked' }
  if (machine.platform === 'linux' && !machine.display) {
    return { studio: 'browser', reason: 'there is no display for a desktop window' }
  }
  if (machine.platform === 'linux' && machine.asRoot) {
    return { studio: 'browser', reason: 'the desktop window keeps its sandbox, which does not run as root' }
  }
  if (machine.binary) return { studio: 'desktop', reason: 'Electron is here' }
  if (machine.triedLately && machine.asked !== 'desktop') {
    return { studio: 'browser', reason: 'Electron could not be downloaded within the last day' }
  }
  return { studio: 'download', reason: 'Electron is not here yet' }
}
