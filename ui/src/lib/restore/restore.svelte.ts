/** Whether the restore dialog is open; the banner and the Health page open it. */

class RestoreDialogState {
  isOpen = $state(false);

  open(): void {
    this.isOpen = true;
  }

  close(): void {
    this.isOpen = false;
  }
}

export const restoreDialog = new RestoreDialogState();
