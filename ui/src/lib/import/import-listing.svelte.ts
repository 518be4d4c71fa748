/** Whether the sidebar lists the Import page: there is something to import, or an import is running. */
export const importListing = $state({ isListed: false });
