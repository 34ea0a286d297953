// The styles for a page that waits for the element, as a bundler imports them.
import '@almanac/lookup-field/style.css'
