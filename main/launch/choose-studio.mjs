// Chooses the studio that "npm start" opens, with a reason that is shown in one line. A pure function.

/**
 * @typedef {object} Machine
 * @property {NodeJS.Platform} platform
 * @property {boolean} display a screen for a window exists
 * @property {boolean} asRoot Chromium's sandbox does not run as root
 * @property {boolean} binary Electron's binary is installed
 * @property {boolean} triedLately a download of it failed within the last day
 * @property {'browser' | 'desktop' | undefined} requestedStudio the user's choice
 */

/**
 * @param {Machine} machine
 * @returns {{ studio: 'desktop' | 'browser' | 'download', reason: string }} "download": get the binary, then call again
 */
export function chooseStudio(machine) {
  if (machine.requestedStudio === 'browser') return { studio: 'browser', reason: 'as requested' }
  if (machine.platform === 'linux' && !machine.display) {
    return { studio: 'browser', reason: 'no display is available for a desktop window' }
  }
  if (machine.platform === 'linux' && machine.asRoot) {
    return { studio: 'browser', reason: 'the sandbox of Electron does not run as root' }
  }
  if (machine.binary) return { studio: 'desktop', reason: 'Electron is installed' }
  if (machine.triedLately && machine.requestedStudio !== 'desktop') {
    return { studio: 'browser', reason: 'Electron could not be downloaded within the last day' }
  }
  return { studio: 'download', reason: 'Electron is not installed yet' }
}
