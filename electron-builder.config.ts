// Installers for three platforms (docs/desktop.md). What signs them is the owner's and comes from the environment.
import type { Configuration } from 'electron-builder'
import { signingConfiguration } from './main/package/signing.ts'

const { all, win } = signingConfiguration(process.env)

/**
 * What goes into a package. The server is bundled into out/main, so that no type is stripped at run time; of
 * node_modules come its dependencies. SQLite's binding ships prebuilt for every platform; each package takes its own.
 */
const files = (platform: string): string[] => [
  'out/**',
  'resources/sample-org/**',
  'resources/LICENSES.md',
  'package.json',
  'LICENSE',
  '!**/*.{map,ts,mts,cts}',
  '!**/node_modules/better-sqlite3/{src,deps,binding.gyp}{,/**}',
  '!**/node_modules/node-addon-api{,/**}',
  `!**/node_modules/better-sqlite3/prebuilds/!(${platform}-\${arch}).node`,
]

const config: Configuration = {
  ...all,
  appId: 'org.almanac.studio',
  productName: 'Almanac',
  copyright: 'Apache-2.0',
  directories: { output: 'dist', buildResources: 'resources/desktop' },
  extraMetadata: { homepage: process.env['ALMANAC_HOMEPAGE'] || 'https://almanac.invalid/' },
  // Only what the operating system itself loads is next to the archive, whose integrity is checked.
  asar: { smartUnpack: false },
  asarUnpack: ['**/*.node'],
  npmRebuild: false,
  // Applied with @electron/fuses after packing and right before signing, which then protects them.
  electronFuses: {
    runAsNode: false,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    grantFileProtocolExtraPrivileges: false,
    // An Apple chip runs nothing without a seal; a build without a certificate gets one of its own.
    resetAdHocDarwinSignature: true,
  },
  protocols: [{ name: 'Almanac', schemes: ['almanac'] }],
  mac: {
    target: ['dmg', 'zip'],
    category: 'public.app-category.developer-tools',
    hardenedRuntime: true,
    entitlements: 'resources/desktop/entitlements.mac.plist',
    entitlementsInherit: 'resources/desktop/entitlements.mac.plist',
    files: files('darwin'),
  },
  win: { ...win, target: ['nsis'], files: files('win32') },
  nsis: { oneClick: false, perMachine: false, allowToChangeInstallationDirectory: true },
  linux: {
    target: ['AppImage', 'deb'],
    category: 'Development',
    synopsis: 'Configuration that is right on every date',
    maintainer: process.env['ALMANAC_MAINTAINER'] || 'Almanac <owner@almanac.invalid>',
    files: files('linux'),
  },
  deb: { recommends: ['gnome-keyring | kwalletmanager | keepassxc'] },
}

export default config
