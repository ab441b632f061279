/// The events of the hardware, for observers that report them to programs.
package enum HardwareEvent: Sendable {
  /// Everything that runs has been stopped.
  case interruptionBegan
  case interruptionEnded(resumes: Bool, isTold: Bool)
  case routeChanged(former: DeviceRoute, hadMicrophone: Bool, reason: DeviceRoute.Reason)
  /// Rate, channels or frames of a cycle.
  case configurationChanged(former: DeviceConfiguration)
  case otherAudioChanged
  case volumeChanged
}
